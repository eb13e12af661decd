"""What the user is told about a mistake: codes, the bag that collects, the frame that shows."""
