import {AsyncLocalStorage} from 'node:async_hooks';
import {afterAll, beforeAll, onTestFinished as onRunningTestFinished, type TestContext} from 'vitest';

/** Runs what has to be cleaned up in the end. */
type Owner = {readonly onTestFinished: (cleanUp: () => Promise<void>) => void};

const owners = new AsyncLocalStorage<Owner>();

/**
Cleans up when the test that calls it has ended. Unlike the function of Vitest, which knows only the test that began last, this one knows
its test among others that run at the same time, in a file that begins with `aroundEach(inOwnContext)`.
*/
export function onTestFinished(cleanUp: () => unknown): void {
	(owners.getStore()?.onTestFinished ?? onRunningTestFinished)(async () => void (await cleanUp()));
}

/** Runs a test so that everything it calls knows which test it belongs to. */
export function inOwnContext(runTest: () => Promise<void>, context: TestContext): Promise<void> {
	return owners.run(context, runTest);
}

/**
Opens what the tests of a file or of a `describe` share, before the first of them. What it leaves to `onTestFinished` is cleaned up after
the last one. Returns a function that answers what was opened.
*/
export function openForAll<Opened>(open: () => Opened | Promise<Opened>): () => Opened {
	const cleanUps: Array<() => Promise<void>> = [];
	let opened: {readonly value: Opened} | undefined;
	beforeAll(async () => {
		const onTestFinished = (cleanUp: () => Promise<void>) => void cleanUps.push(cleanUp);
		opened = {value: await owners.run({onTestFinished}, open)};
	});
	afterAll(async () => {
		for (const cleanUp of cleanUps.reverse()) {
			await cleanUp();
		}
	});
	return () => {
		if (opened === undefined) {
			throw new Error('It is open while the tests run');
		}

		return opened.value;
	};
}
