import '../async-disposable-stack.ts';
