import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from './on-test-finished.ts';

/** A fresh directory that is gone when the test has ended. */
export function temporaryDirectory(): string {
	const path = mkdtempSync(join(tmpdir(), 'sluice-test-'));
	onTestFinished(() => rmSync(path, {recursive: true, force: true}));
	return path;
}
