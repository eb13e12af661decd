"""Workers: processes of our own and somebody else's machines. They know nothing of games; prover, fuzzer, mutator and soak use them."""
