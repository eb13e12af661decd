"""Machines: what runs kernels, with memory of its own: WebAssembly where `wasmtime` is installed, otherwise Python."""
