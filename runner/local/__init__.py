"""What a real small model on this machine needs: weights, and a chat template that knows tools."""
