"""Programs made at random to break whatever judges them."""
