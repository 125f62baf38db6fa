import {existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test, vi} from 'vitest';
import {readScriptOutput} from '../../../source/webhooks/script/script.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {openHandler} from '../open-handler.ts';
import {to} from '../../helpers/destinations.ts';

const path = process.env['PATH'] ?? '';

/** A queue whose route `r` runs `script`; its prompt shows the whole payload. */
function deskWith(files: Readonly<Record<string, string>>, script: string, route: object = {}) {
	const home = realpathSync(temporaryDirectory());
	const scripts = join(home, 'scripts');
	mkdirSync(join(scripts, 'below'), {recursive: true});
	for (const [name, text] of Object.entries(files)) {
		writeFileSync(join(scripts, name), text);
	}

	const handler = openHandler({
		routes: [{name: 'r', script, ...route}],
		scripts,
		environment: {PATH: path},
		rateLimit: 1000,
		unverifiedBodies: 1000,
	});
	const post = (body = '{"a":1}', headers: Readonly<Record<string, string>> = {}) =>
		handler.post({url: '/webhooks/r', body, headers});
	return {...handler, home, scripts, post};
}

const ignored = {status: 200, body: {status: 'ignored', reason: 'script', route: 'r'}};

describe('a script', () => {
	test.each([
		['a.sh', 'cat'],
		['a.bash', '[[ $BASH_VERSION ]] && cat'],
		['a.py', 'import sys; print(sys.stdin.read())'],
		['a', 'import sys; print(sys.stdin.read())'],
	])('%s is run by what its name says and reads the payload', async (name, text) => {
		const handler = deskWith({[name]: text}, name);
		expect(await handler.post('{"id":12345678901234567890}')).toMatchObject({status: 202});
		expect(handler.journal.runs).toMatchObject([{prompt: '{\n  "id": 12345678901234567890\n}'}]);
	});

	test('whose output is an object replaces the payload of prompt and deliver_extra', async () => {
		const handler = deskWith({'a.sh': `echo '{"b":2}'`}, 'a.sh', {
			prompt: '{a} {b}',
			deliver: to('log', {chat_id: '{b}'}),
		});
		await handler.post();
		expect(handler.journal.runs).toMatchObject([{prompt: '{a} 2', deliver: to('log', {chat_id: '2'})}]);
	});

	test('leaves the body that came in the journal', async () => {
		const handler = deskWith({'a.sh': `echo '{"b":2}'`}, 'a.sh');
		await handler.post();
		expect(Buffer.from(handler.journal.rows[0]?.body ?? []).toString()).toBe('{"a":1}');
	});

	test('knows event, route and delivery, its folder, and nothing of the gateway', async () => {
		const handler = deskWith({'below/a.sh': 'env; pwd -P'}, 'below/a.sh', {prompt: '{script_output}'});
		await handler.post('{}', {'x-github-event': 'push', 'x-request-id': 'one'});
		const lines = (handler.journal.runs[0]?.prompt ?? '').split('\n');
		// PWD, SHLVL and _ are bash's own.
		expect(lines.filter(line => !/^(?:PWD|OLDPWD|SHLVL|_)=/u.test(line)).sort()).toEqual(
			[
				join(handler.scripts, 'below'),
				`PATH=${path}`,
				'SLUICE_EVENT_TYPE=push',
				'SLUICE_ROUTE=r',
				'SLUICE_DELIVERY_ID=one',
			].sort(),
		);
	});

	test('may have an event type with a NUL', async () => {
		const handler = deskWith({'a.sh': 'echo "$SLUICE_EVENT_TYPE"'}, 'a.sh', {prompt: '{script_output}'});
		await handler.post('{"type":"a\\u0000b"}');
		expect(handler.journal.runs).toMatchObject([{prompt: 'ab'}]);
	});

	test.each([
		['prints nothing', 'true'],
		['prints blanks', 'echo "  "'],
		['says [SILENT]', 'echo "[SILENT]"'],
		['says to ignore', `echo '{"__hermes_ignore__": true}'`],
	])('that %s ignores the event without a complaint', async (_what, text) => {
		const handler = deskWith({'a.sh': text}, 'a.sh');
		expect(await handler.post()).toMatchObject(ignored);
		expect([handler.journal.runs, handler.ofType('log'), handler.journal.rows]).toMatchObject([
			[],
			[],
			[{status: 200, outcome: 'ignored', reason: 'script', body: expect.anything()}],
		]);
	});

	test('that ignores an event leaves its delivery id free', async () => {
		const handler = deskWith({'a.sh': 'true'}, 'a.sh');
		await handler.post('{}', {'x-request-id': 'one'});
		expect(handler.journal.claimed.size).toBe(0);
	});

	test.each([
		['fails', 'echo "{}"; echo "no \u001B[2J luck" >&2; exit 3', /with code 3: no ␛\[2J luck/u],
		['is ended by a signal', 'echo "{}"; kill -9 $$', /by a signal/u],
		['writes more than 1 MB', 'head -c 1048577 /dev/zero', /more than 1 MB/u],
		['writes for ever', 'yes', /more than 1 MB/u],
	])('that %s ignores the event, and the log says why', async (_what, text, reason) => {
		const handler = deskWith({'a.sh': text}, 'a.sh');
		expect(await handler.post()).toMatchObject(ignored);
		expect(handler.ofType('log')).toMatchObject([{level: 'warning', text: expect.stringMatching(reason)}]);
	});

	test('may write exactly 1 MB', async () => {
		const handler = deskWith({'a.sh': 'head -c 1048576 /dev/zero | tr "\\0" x'}, 'a.sh');
		expect(await handler.post()).toMatchObject({status: 202});
	});

	test('that never reads a large payload is harmless', async () => {
		const handler = deskWith({'a.sh': 'exec <&-; echo done'}, 'a.sh', {prompt: '{script_output}'});
		await handler.post(JSON.stringify({text: 'x'.repeat(900_000)}));
		expect(handler.journal.runs).toMatchObject([{prompt: 'done'}]);
	});

	test('whose interpreter is missing ignores the event', async () => {
		const handler = openHandler({
			routes: [{name: 'r', script: 'a.sh'}],
			scripts: deskWith({'a.sh': 'true'}, 'a.sh').scripts,
			environment: {PATH: '/nowhere'},
		});
		expect(await handler.post({url: '/webhooks/r'})).toMatchObject(ignored);
	});
});

describe('a process tree', () => {
	const lives = (file: string) => {
		try {
			const id = Number(readFileSync(file, 'utf8'));
			// A zombie whose parent has not asked for it is not alive either.
			return process.kill(id, 0) && !/^State:\s+Z/mu.test(readFileSync(`/proc/${id}/status`, 'utf8'));
		} catch {
			return false;
		}
	};

	test('ends as a group after 30 seconds', async () => {
		const handler = deskWith({'a.sh': 'sleep 600 & echo $! > child; echo x > up; wait'}, 'a.sh');
		const child = join(handler.scripts, 'child');
		const answer = handler.post();
		await expect.poll(() => lives(child)).toBe(true);
		await handler.clock.advance(29_999);
		expect(lives(child)).toBe(true);
		await handler.clock.advance(1);
		expect(await answer).toMatchObject(ignored);
		await expect.poll(() => lives(child)).toBe(false);
		expect(handler.clock.open()).toBe(0);
	});

	test('whose leader has ended leaves nobody behind, and nobody is waited for', async () => {
		const handler = deskWith({'a.sh': 'sleep 600 & echo $! > child; echo done'}, 'a.sh', {prompt: '{script_output}'});
		expect(await handler.post()).toMatchObject({status: 202});
		expect(handler.journal.runs).toMatchObject([{prompt: 'done'}]);
		await expect.poll(() => lives(join(handler.scripts, 'child'))).toBe(false);
	});

	test('is ended when the gateway gives up, and the sender may try again', async () => {
		const handler = deskWith({'a.sh': 'echo $$ > child; exec sleep 600'}, 'a.sh');
		const answer = handler.post();
		await expect.poll(() => lives(join(handler.scripts, 'child'))).toBe(true);
		handler.givingUp.abort(new Error('over'));
		expect(await answer).toMatchObject({status: 503, body: {error: 'Shutting down'}});
		await expect.poll(() => lives(join(handler.scripts, 'child'))).toBe(false);
	});

	test('of the seventeenth request at once waits for a slot, at most eight seconds', async () => {
		const handler = deskWith({'a.sh': 'echo $$ >> up; [ -e end ] || exec sleep 600; echo done'}, 'a.sh');
		const begun = () => linesOf(join(handler.scripts, 'up'));
		const running = Array.from({length: 16}, () => handler.post());
		await expect.poll(begun).toHaveLength(16);
		const late = handler.post('{"a":2}', {'x-request-id': 'late'});
		await vi.waitFor(() => expect(handler.clock.open()).toBe(17));
		await handler.clock.advance(7999);
		expect(begun()).toHaveLength(16);
		await handler.clock.advance(1);
		expect(await late).toMatchObject({status: 503, headers: {'retry-after': '10'}, body: {error: 'Busy'}});

		const next = handler.post('{"a":2}', {'x-request-id': 'late'});
		await vi.waitFor(() => expect(handler.clock.open()).toBe(17));
		writeFileSync(join(handler.scripts, 'end'), '');
		process.kill(Number(begun()[0]));
		expect(await next, 'its id was not recorded, and a slot became free').toMatchObject({status: 202});
		handler.givingUp.abort(new Error('over'));
		await Promise.all(running);
	});

	test('is refused at once when 256 wait for a slot', async () => {
		const handler = deskWith({'a.sh': 'exec sleep 600'}, 'a.sh');
		const open = Array.from({length: 16 + 256}, () => handler.post());
		await vi.waitFor(() => expect(handler.clock.open()).toBe(16 + 256), {timeout: 10_000});
		expect(await handler.post()).toMatchObject({status: 503, body: {error: 'Busy'}});
		handler.givingUp.abort(new Error('over'));
		expect(await Promise.all(open)).toEqual(
			Array.from({length: 16 + 256}, () => expect.objectContaining({status: 503, body: {error: 'Shutting down'}})),
		);
		expect(handler.clock.open()).toBe(0);
	});
});

/** The lines of a file; none while it is missing. */
function linesOf(file: string): readonly string[] {
	return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

describe('the path of a script', () => {
	test.each([
		['a missing file', 'missing.sh'],
		['a way out', '../outside.sh'],
		['a way out and in again', '../scripts-not/outside.sh'],
		['a link that leads out', 'link.sh'],
		['a linked folder', 'folder/outside.sh'],
		['a folder', 'below'],
		['the folder itself', '.'],
		['a NUL', 'a.sh\0'],
		['an option', '-c'],
		['a command', 'a.sh;id'],
	])('%s is blocked', async (_what, script) => {
		const handler = deskWith({'a.sh': 'echo in'}, script);
		mkdirSync(join(handler.home, 'scripts-not'));
		for (const out of ['outside.sh', 'scripts-not/outside.sh']) {
			writeFileSync(join(handler.home, out), 'echo out');
		}

		symlinkSync('../outside.sh', join(handler.scripts, 'link.sh'));
		symlinkSync('..', join(handler.scripts, 'folder'));
		expect(await handler.post()).toMatchObject(ignored);
		expect(handler.ofType('log')).toMatchObject([
			{text: expect.stringContaining('the file does not exist below scripts/')},
		]);
	});

	test('may be absolute, and outside is blocked', async () => {
		const inside = deskWith({'a.sh': 'echo in'}, 'a.sh');
		const absolute = (script: string) =>
			openHandler({routes: [{name: 'r', script}], scripts: inside.scripts, environment: {PATH: path}});
		expect(await absolute(join(inside.scripts, 'a.sh')).post({url: '/webhooks/r'})).toMatchObject({status: 202});
		writeFileSync(join(inside.home, 'out.sh'), 'echo out');
		expect(await absolute(join(inside.home, 'out.sh')).post({url: '/webhooks/r'})).toMatchObject(ignored);
	});
});

describe('the output of a script', () => {
	const payload = {a: 1};

	test.each([
		['', undefined],
		[' \n', undefined],
		['[SILENT]\n', undefined],
		['{"__hermes_ignore__":true}', undefined],
		['{"__hermes_ignore__":"true"}', {__hermes_ignore__: 'true'}],
		['{"b":2}', {b: 2}],
		['{}', {}],
		['[SILENT] please', {a: 1, script_output: '[SILENT] please'}],
		['text\n', {a: 1, script_output: 'text'}],
		['[1]', {a: 1, script_output: '[1]'}],
		['12345678901234567890', {a: 1, script_output: '12345678901234567890'}],
		['{"b":', {a: 1, script_output: '{"b":'}],
	])('%j makes %j', (output, expected) => {
		expect(readScriptOutput(output, payload)).toEqual(expected);
	});

	test.each([[[1]], ['text'], [null]])('beside the payload %j a text is a member', other => {
		expect(readScriptOutput('text', other)).toEqual({payload: other, script_output: 'text'});
	});

	test('__proto__ in the output is a member like any other', () => {
		const changed = readScriptOutput('{"__proto__":{"polluted":true}}', payload);
		expect(Object.hasOwn(Object(changed), '__proto__')).toBe(true);
		expect('polluted' in Object(changed)).toBe(false);
	});
});
