"""The command `sandbox-service`: one small file a command, imported only when it is the one that was asked for."""
