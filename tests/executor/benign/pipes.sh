# Pipelines, redirections, jobs, traps, what comes with every system.
set -euo pipefail
cd /tmp
seq 1 1000 | sort -rn | tr '\n' ' ' | cut -c 1-12 > top
diff <(printf '1000 999 998\n') top
find /usr/bin -name 'ba*' | xargs -n 1 -P 4 basename | sort | grep -x bash > /dev/null
awk 'BEGIN { for (i = 0; i < 10; i++) s += i; print s }' | sed 's/45/ok/' > out
tar cf - out | gzip | gunzip | tar xOf - out
(sleep 0.01; exit 3) & wait $! || [ $? = 3 ]
trap 'echo trapped' USR1; kill -USR1 $$
mkfifo pipe; echo through > pipe & cat pipe
cp out other; mv other third; ln -s third link; touch link; rm link third
timeout 5 true; date > /dev/null; id -u > /dev/null; nproc > /dev/null; df . > /dev/null; stat out > /dev/null
