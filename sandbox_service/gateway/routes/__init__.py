"""The routes by the part of the contract that they serve; each module adds its own to an application."""
