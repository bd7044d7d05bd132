"""What runs inside a sandbox: packed and handed to the sandbox's own interpreter, never imported by the service."""
