/** The part of Node's module that the Workers runtime has and workflows need; src/ is typed without Node. */
declare module "node:async_hooks" {
  export class AsyncLocalStorage<Store> {
    run<Result>(store: Store, work: () => Result): Result;
    getStore(): Store | undefined;
  }
}
