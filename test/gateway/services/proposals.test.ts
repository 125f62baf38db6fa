import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {connectControl} from '../../../source/control/client.ts';
import {type ProposalAnswer} from '../../../source/state/person-answers.ts';
import {systemClock} from '../../../source/util/clock.ts';
import {runGateway} from '../../helpers/running-gateway.ts';

const link = `sluice://mcp/install?name=docs&config=${Buffer.from('{"command":"/no/such","args":["a\\u200Bb"]}').toString('base64url')}`;

async function propose(config = '') {
	const running = await runGateway(config);
	running.gateway.openDecidingConsole();
	const client = await connectControl({path: running.paths.controlSocket, clock: systemClock});
	const caller = new AbortController();
	const end = client?.call('mcp.install', {link}, {signal: caller.signal});
	end?.catch(() => undefined);
	const asked = await running.eventWhere(event => event.type === 'proposal.asked');
	const card = asked.type === 'proposal.asked' ? asked : undefined;
	const answer = (given: ProposalAnswer) =>
		running.gateway.send({method: 'proposals.answer', params: {id: card?.id ?? '', answer: given}});
	return {...running, card, caller, end, answer, text: () => readFileSync(running.paths.config, 'utf8')};
}

test('a proposal is shown with its whole entry, and a confirmed one is installed and taken over', async () => {
	const {card, answer, end, text, eventWhere} = await propose();
	expect(card).toMatchObject({
		name: 'docs',
		nameState: 'free',
		commandLines: ['/no/such', 'a‹U+200B›b'],
		warnings: [expect.stringContaining('/no/such'.slice(4)), expect.stringContaining('invisible')],
	});
	expect(card?.entryLines.join('\n')).toContain('"trust": "untrusted"');
	expect(text()).toBe('');
	answer({kind: 'confirm'});
	expect(await end).toEqual({outcome: 'installed', name: 'docs'});
	expect(text()).toContain('docs:\n    command: /no/such');
	await eventWhere(event => event.type === 'server.state' && event.server === 'docs' && event.state === 'failed');
});

test('a cancelled proposal writes nothing', async () => {
	const {answer, end, text} = await propose();
	answer({kind: 'cancel'});
	expect([await end, text()]).toEqual([{outcome: 'cancelled'}, '']);
});

test('a taken name is never overwritten: the proposal waits for a new one', async () => {
	const before = 'mcp_servers: {docs: {url: https://mine.example/mcp, enabled: false}}\n';
	const {card, answer, end, text, eventWhere} = await propose(before);
	expect(card?.nameState).toBe('taken');
	answer({kind: 'confirm'});
	await eventWhere(event => event.type === 'log' && event.text.includes('is already in use'));
	answer({kind: 'rename', name: 'a/b'});
	await eventWhere(event => event.type === 'log' && event.text.includes('1 to 64'));
	expect(text()).toBe(before);
	answer({kind: 'rename', name: 'docs-2'});
	expect(await end).toEqual({outcome: 'installed', name: 'docs-2'});
	expect(text()).toContain('mine.example');
});

test('a proposal whose caller goes away is withdrawn, and an answer to it writes nothing', async () => {
	const {caller, answer, text, eventWhere} = await propose();
	caller.abort();
	await eventWhere(event => event.type === 'proposal.settled' && event.outcome === 'withdrawn');
	answer({kind: 'confirm'});
	answer({kind: 'confirm'});
	expect(text()).toBe('');
});

test('a proposal that waits ends with the gateway', async () => {
	const {gateway, eventWhere} = await propose();
	await gateway.stop('the test');
	await eventWhere(event => event.type === 'proposal.settled' && event.outcome === 'withdrawn');
});
