"""Long loads, whose figures are printed as JSON, and what must hold after them.

`python -m tests.soak overload --seconds 180` offers three times what the service can do.
`python -m tests.soak endurance --submissions 50000` sends many cheap programs through one service.
`python -m tests.soak hostile --submissions 1000 --rounds 3` sends attacks and bombs, and counts what is left of them.
"""
