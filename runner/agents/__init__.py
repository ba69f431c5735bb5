"""Who speaks with the endpoint: the own tool loop; and the tools that record what they are called with."""
