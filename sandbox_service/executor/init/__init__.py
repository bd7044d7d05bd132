"""What runs inside a sandbox: `main.py` is handed to the sandbox's interpreter, never imported."""
