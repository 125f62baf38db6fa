import {describe, expect, test} from 'vitest';
import {errorText, ofServer, Problem, problemLine, toProblem} from '../../source/util/problem.ts';
import {problemCodes} from '../../source/util/problem-codes.ts';

describe('a problem', () => {
	test('speaks the words of the table unless it has better ones', () => {
		expect(new Problem('denied').message).toBe(problemCodes.denied.meaning);
		expect(new Problem('denied', {message: 'Denied by dashboard'}).message).toBe('Denied by dashboard');
	});

	test.each([
		[
			'server_exists',
			{kind: 'server', name: 'my server'},
			"remove the existing server with `sluice mcp remove 'my server'`",
		],
		['device_login_unsupported', {kind: 'server', name: 'a'}, 'Run `sluice mcp login a --flow browser`'],
		['route_shadowed', {kind: 'route', name: 'pulls'}, '`sluice webhook remove pulls`'],
		['login_failed', {kind: 'gateway'}, '`sluice mcp login NAME`'],
	] as const)('has the name of its scope in the commands of its remedy: %s', (code, scope, remedy) => {
		expect(new Problem(code, {scope}).remedy).toContain(remedy);
	});

	test('is the same as one of a server, but for its remedy', () => {
		const cause = new Error('refused');
		const own = {message: 'No', detail: 'why', level: 'warning', cause} as const;
		const problem = new Problem('login_failed', own);
		expect(ofServer(problem, 'tracker')).toMatchObject({code: 'login_failed', ...own});
		expect(ofServer(problem, 'tracker').remedy).toContain('Try again with `sluice mcp login tracker`');
	});

	test('is an error unless it is said to be a warning', () => {
		expect([new Problem('denied').level, new Problem('denied', {level: 'warning'}).level]).toEqual([
			'error',
			'warning',
		]);
	});
});

describe('toProblem', () => {
	test('leaves a problem as it is', () => {
		const problem = new Problem('call_timeout');
		expect(toProblem(problem, 'call_failed')).toBe(problem);
	});

	test('keeps the text of anything else private', () => {
		const problem = toProblem(new Error('password is hunter2'), 'call_failed');
		expect(problem).toMatchObject({
			code: 'call_failed',
			message: problemCodes.call_failed.meaning,
			detail: 'password is hunter2',
		});
	});

	test('keeps the cause', () => {
		const cause = new Error('refused');
		expect(toProblem(cause).cause).toBe(cause);
	});
});

describe('errorText', () => {
	test.each([
		['an error', new Error('refused'), 'refused'],
		['an error without a message', new TypeError(), 'TypeError'],
		['a chain of causes', new Error('no tools', {cause: new Error('refused')}), 'no tools: refused'],
		['a cause that is no error', new Error('no tools', {cause: 'why not'}), 'no tools: why not'],
		['a text', 'refused', 'refused'],
		['an object', {status: 404}, '{"status":404}'],
		['null', null, 'null'],
		['something without JSON', () => {}, 'function'],
	])('words %s', (_, caught, text) => {
		expect(errorText(caught)).toBe(text);
	});

	test('ends on a cause that is its own cause', () => {
		const error = new Error('again');
		error.cause = error;
		expect(errorText(error)).toBe('again: again: again: again');
	});
});

describe('problemLine', () => {
	const place = {file: 'config.yaml', line: 3, column: 7};

	test.each([
		['a place with a key', {...place, keyPath: 'mcp_servers.files'}, 'config.yaml:3:7: mcp_servers.files: wrong'],
		['a place without a key', {...place, keyPath: ''}, 'config.yaml:3:7: wrong'],
		['no place', undefined, 'wrong'],
	])('names %s', (_, place, line) => {
		expect(problemLine(new Problem('config_invalid', {message: 'wrong', ...(place ? {place} : {})}))).toBe(line);
	});
});
