"""The training recipe: annotated records in, a model folder out (extra `train`)."""
