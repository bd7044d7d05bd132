#!/bin/sh
# The first process in there. The host's files are the root, read-only; those of $SHARED can be written to.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin PYTHONDONTWRITEBYTECODE=1 HOME=/tmp
groups=/sys/fs/cgroup
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t cgroup2 cgroup2 $groups
mount -t tmpfs -o mode=1777 tmpfs /tmp
mount -t tmpfs tmpfs /run
mkdir /run/shared /run/service /run/packages
# By new paths: the folders above them may be closed to a user.
mount -t hostfs -o "$SHARED" none /run/shared
mount -t hostfs -o "$SERVICE" -r none /run/service
mount -t hostfs -o "$PACKAGES" -r none /run/packages
export PYTHONPATH=/run/service:/run/packages
cd /run/shared || exit

drive() { "$@" "$PYTHON" -m tests.elsewhere.driver <runs.json >"$name.jsonl" 2>"$name.log"; }

# As root, in the root of all groups.
name=root
drive env

# As a user without a name, in a group that root has handed over, and not alone in it.
name=delegated group=$groups/delegated
mkdir $group
chown "$USER_ID" $group $group/cgroup.procs $group/cgroup.subtree_control
sleep 1000 &
echo $! >$group/cgroup.procs
drive sh -c 'echo 0 >$1/cgroup.procs; shift; exec setpriv --reuid $USER_ID --regid $USER_ID --clear-groups "$@"' sh $group

"$PYTHON" -c 'import ctypes; ctypes.CDLL(None).reboot(0x4321FEDC)' # power off
