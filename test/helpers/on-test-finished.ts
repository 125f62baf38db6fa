import {AsyncLocalStorage} from 'node:async_hooks';
import {onTestFinished as onRunningTestFinished, type TestContext} from 'vitest';

const contexts = new AsyncLocalStorage<TestContext>();

/**
Cleans up when the test that calls it has ended. Unlike the function of Vitest, which knows only the test that began last, this one knows
its test among others that run at the same time, in a file that begins with `aroundEach(inOwnContext)`.
*/
export function onTestFinished(cleanUp: () => unknown): void {
	(contexts.getStore()?.onTestFinished ?? onRunningTestFinished)(async () => void (await cleanUp()));
}

/** Runs a test so that everything it calls knows which test it belongs to. */
export function inOwnContext(runTest: () => Promise<void>, context: TestContext): Promise<void> {
	return contexts.run(context, runTest);
}
