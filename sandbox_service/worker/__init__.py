"""Takes leases from the queue and turns them into results."""
