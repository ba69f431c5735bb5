"""A simulated chat model and the HTTP server it stands behind: the demo's endpoint and the tests' endpoint."""
