"""HTTP in: takes submissions, hands them to the queue, gives results back. It can run nothing."""
