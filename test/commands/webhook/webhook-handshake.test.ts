import {describe, expect, test} from 'vitest';
import {type Dialog} from '../../../source/commands/cli/dialog.ts';
import {runWebhookHandshake} from '../../../source/commands/webhook/webhook-handshake.ts';
import {type GatewayHandlers} from '../../../source/control/methods.ts';
import {type HandshakeEndJson, type RouteRowJson} from '../../../source/state/json/event.ts';
import {startControl} from '../../control/control-fixture.ts';
import {openContext} from '../command-fixture.ts';

const topic = 'arn:aws:sns:us-west-2:123456789012:MyTopic';
const url = 'https://sns.us-west-2.amazonaws.com/?Action=ConfirmSubscription&Token=1';
const proposed: HandshakeEndJson = {outcome: 'proposed', proposal: {id: 'p1', topic, url}, reason: null};

const row: RouteRowJson = {
	name: 'alarms',
	url: 'http://127.0.0.1/webhooks/alarms',
	profile: 'default',
	events: [],
	deliver: 'log',
	targets: ['log'],
	source: 'config',
	state: 'served',
	reason: null,
};

/** A person at a terminal who answers each question alike. */
function person(answer: boolean): Dialog & {readonly asked: string[]} {
	const asked: string[] = [];
	return {
		asked,
		ask: async () => '',
		askSecret: async () => '',
		async confirm(question) {
			asked.push(question);
			return answer;
		},
		pause: use => use(),
		close() {},
	};
}

async function run(
	end: HandshakeEndJson,
	{
		dialog,
		json,
		fetched = {outcome: 'confirmed', reason: null},
	}: {
		readonly dialog?: Dialog;
		readonly json?: boolean;
		readonly fetched?: Awaited<ReturnType<GatewayHandlers['webhook.confirm']>>;
	} = {},
) {
	const calls: string[] = [];
	const {path} = await startControl({
		'webhook.list': () => [row],
		'webhook.handshake'({route}) {
			calls.push(`handshake ${route}`);
			return end;
		},
		'webhook.confirm'({id}) {
			calls.push(`confirm ${id}`);
			return fetched;
		},
	});
	const {context, stdout, stderr} = openContext({arguments: ['alarms'], flags: {json}, controlSocket: path, dialog});
	return {code: await runWebhookHandshake(context), stdout: stdout(), stderr: stderr(), calls};
}

describe('webhook handshake', () => {
	test('shows the topic and the address, and fetches after a yes', async () => {
		const dialog = person(true);
		const {code, stderr, calls} = await run(proposed, {dialog});
		expect([code, calls]).toEqual([0, ['handshake alarms', 'confirm p1']]);
		expect(stderr).toMatch(
			/^Waiting 10 minutes for the confirmation of alarms\.[\s\S]*Topic {4}arn:aws:sns[\s\S]*Address {2}https:\/\/sns[\s\S]*The subscription is confirmed\.\n$/u,
		);
		expect(dialog.asked).toEqual(['Fetch this address, which confirms the subscription?']);
	});

	test('fetches nothing after a no', async () => {
		const {code, stderr, calls} = await run(proposed, {dialog: person(false)});
		expect([code, calls]).toEqual([1, ['handshake alarms']]);
		expect(stderr).toContain('Nothing was fetched.');
	});

	test('asks nothing when no confirmation came', async () => {
		const dialog = person(true);
		const {code, stderr, calls} = await run({outcome: 'closed', proposal: null, reason: null}, {dialog});
		expect([code, calls, dialog.asked]).toEqual([1, ['handshake alarms'], []]);
		expect(stderr).toContain('No confirmation came; nothing was changed.');
	});

	test('says why the address did not confirm', async () => {
		const fetched = {outcome: 'failed', reason: 'The address answered 403'} as const;
		const {code, stdout} = await run(proposed, {dialog: person(true), json: true, fetched});
		expect([code, JSON.parse(stdout)]).toEqual([
			1,
			{route: 'alarms', topic, outcome: 'failed', reason: 'The address answered 403'},
		]);
	});

	test('needs a terminal, and opens no window without one', async () => {
		const {code, stderr, calls} = await run(proposed);
		expect([code, calls]).toEqual([1, []]);
		expect(stderr).toContain('A handshake needs your consent');
		expect(stderr).toContain('Run `sluice webhook handshake alarms` on a terminal');
	});
});
