"""The verifier: proofs, exploration and fuzzing of the same core game that the engine plays."""
