"""Long loads, whose figures are printed as JSON, and what must hold after them.

`python -m tests.soak overload --seconds 180` offers three times what the service can do.
`python -m tests.soak endurance --submissions 50000` sends many cheap programs through one service.
"""
