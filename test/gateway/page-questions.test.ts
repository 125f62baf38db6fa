import {chmodSync, existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {eventJson} from '../../source/state/event-json.ts';
import {eventLine} from '../../source/state/line.ts';
import {fixtureArguments} from '../helpers/fixture-program.ts';
import {runGateway} from '../helpers/running-gateway.ts';
import {runSluice} from '../helpers/run-sluice.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

const address = 'https://accounts.example.com/authorize?state=s3cret';
const page = {
	method: 'elicitation/create',
	params: {mode: 'url', message: 'Log in', url: address, elicitationId: 'p1'},
};

/** A gateway with a display, whose browser writes down what it opens, and a server that asks to open a page. */
async function open(variables: Readonly<Record<string, string>> = {DISPLAY: ':0'}) {
	const home = temporaryDirectory();
	const program = join(home, 'xdg-open');
	const record = join(home, 'record');
	writeFileSync(program, `#!/bin/sh\nprintf '%s' "$1" > ${record}.new && mv ${record}.new ${record}\n`);
	chmodSync(program, 0o700);
	const asking = {
		command: process.execPath,
		args: fixtureArguments('mcp-asking.ts'),
		trust: 'full',
		elicitation: {url: true},
	};
	const running = await runGateway(JSON.stringify({gateway: {endpoint: {port: 0}}, mcp_servers: {asking}}), home, {
		variables: {PATH: `${home}:/usr/bin:/bin`, ...variables},
	});
	const {gateway, eventWhere} = running;
	gateway.openDecidingConsole();
	await eventWhere(event => event.type === 'server.state' && event.state === 'connected');
	gateway.send({
		method: 'mcp.call',
		params: {name: 'mcp__asking__ask', arguments: page, approve: false},
		requestId: 'r',
	});
	const asked = await eventWhere(event => event.type === 'question.asked');
	const id = 'id' in asked ? asked.id : '';
	const accept = (opened?: string) =>
		gateway.send({
			method: 'questions.answer',
			params: {id, answer: {kind: 'accept', values: {}, ...(opened !== undefined && {open: opened})}},
		});
	const settled = () => eventWhere(event => event.type === 'question.settled');
	return {...running, id, accept, settled, home, record};
}

test.skipIf(process.platform !== 'linux')(
	'a page is opened by the answer that says so, as it was shown, and not before',
	async () => {
		const {accept, settled, record, events, eventWhere} = await open();
		accept('https://accounts.example.com/another');
		const refusal = await eventWhere(event => event.type === 'log' && event.text.includes('not the address'));
		expect(refusal).toMatchObject({level: 'error'});
		expect(existsSync(record)).toBe(false);
		accept(address);
		expect(await settled()).toMatchObject({outcome: 'answered', by: expect.stringContaining('console:')});
		expect(await vi.waitFor(() => readFileSync(record, 'utf8'), 10_000)).toBe(address);
		// The host alone is logged.
		const log = events.flatMap(event => [eventLine(event), eventJson(event)]).join('\n');
		expect(log).toContain('accounts.example.com');
		expect(log).not.toContain('s3cret');
	},
);

test('a page that a person opens themselves is accepted and not opened here', async () => {
	const {accept, settled, record} = await open();
	accept();
	expect(await settled()).toMatchObject({outcome: 'answered'});
	expect(existsSync(record)).toBe(false);
});

test('without a display the log says that nothing was opened', async () => {
	const {accept, settled, record, eventWhere} = await open({});
	accept(address);
	expect(await settled()).toMatchObject({outcome: 'answered'});
	await eventWhere(event => event.type === 'log' && event.text.includes('open the address yourself'));
	expect(existsSync(record)).toBe(false);
});

test('commands list a page with its address, and accept it', async () => {
	const {id, home, settled} = await open();
	const listed = await runSluice({home}, 'questions', 'list', '--json');
	expect(JSON.parse(listed.stdout)).toMatchObject([{id, kind: 'url', url: address, fields: []}]);
	expect(await runSluice({home}, 'questions', 'answer', id, '--values', '{"a":1}')).toMatchObject({code: 1});
	expect(await runSluice({home}, 'questions', 'answer', id, '--values', '{}')).toMatchObject({code: 0});
	expect(await settled()).toMatchObject({outcome: 'answered', by: 'cli'});
});
