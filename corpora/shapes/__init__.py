"""Foreign shapes: one file each turns a payload into calls, pure; the endpoints read by them, and so does the scan."""
