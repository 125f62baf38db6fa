import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {methods} from '../../source/control/methods.ts';
import {type MethodName} from '../../source/state/api.ts';
import {readMethods} from '../../source/state/gateway-call.ts';

const dashboard = fileURLToPath(new URL('../../source/tui', import.meta.url));

/** The methods that the source of the dashboard names in a call. */
function calledMethods(): readonly MethodName[] {
	const texts = readdirSync(dashboard, {recursive: true, encoding: 'utf8'})
		.filter(path => /\.tsx?$/u.test(path))
		.map(path => readFileSync(join(dashboard, path), 'utf8'));
	const named = texts.flatMap(text => [...text.matchAll(/\bmethod: '([a-z.-]+)'/gu)].map(([, name]) => name));
	return (Object.keys(methods) as MethodName[]).filter(name => named.includes(name));
}

test('a read-only dashboard makes the calls of a dashboard that need no more than read, and no other', () => {
	const called = calledMethods();
	expect(called).toContain('runs.start');
	expect(called.filter(name => methods[name].needs === 'read').toSorted()).toEqual([...readMethods].toSorted());
});
