import {describe, expect, test} from 'vitest';
import {openOutgoing} from '../../source/net/outgoing.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {openTestJournal} from '../helpers/journal-records.ts';
import {nameServer} from '../helpers/name-server.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {openSlackCommands} from '../simulators/callers/slack-command.ts';
import {serveLater} from '../simulators/callers/waiting-caller.ts';
import {answeringRoute, openAnswers} from './open-answers.ts';

/** A command whose result is late. */
async function askLate(
	responseUrl: string | undefined,
	places: ReadonlyArray<{readonly host: string; readonly origin: string}> = [],
) {
	const clock = createFakeClock();
	const slack = await openSlackCommands();
	const gateway = await openAnswers({
		clock,
		journal: openTestJournal({clock}),
		routes: [answeringRoute('slack', {})],
		places: places.length === 0 ? [slack.later] : places,
	});
	const seen = slack.type(`${gateway.url}/webhooks/slack`, {
		at: clock.now(),
		...(responseUrl !== undefined && {responseUrl}),
	});
	await expect.poll(() => gateway.asked.length).toBe(1);
	await clock.advance(2500);
	expect(await seen).toBe('');
	gateway.asked[0]?.answer('Sunny');
	await clock.advance(1000);
	const isOver = async () => (await gateway.messages()).every(({state}) => state !== 'pending' && state !== 'sending');
	await expect.poll(isOver).toBe(true);
	const [caller] = await gateway.messages();
	return {...gateway, slack, caller};
}

const no = 'no answer goes to its address: ';

describe('a response_url', () => {
	test('of Slack gets the result', async () => {
		const {caller, slack} = await askLate(undefined);
		expect([caller?.state, slack.later.received.length]).toEqual(['sent', 1]);
	});

	test.each([
		['of another host', 'https://evil.example/commands/T1/22/x', `${no}it is not an address of hooks.slack.com`],
		[
			'of a host that ends so',
			'https://evil-hooks.slack.com.example/x',
			`${no}it is not an address of hooks.slack.com`,
		],
		['of a host below it', 'https://a.hooks.slack.com/x', `${no}it is not an address of hooks.slack.com`],
		['with a trailing dot', 'https://hooks.slack.com./x', `${no}it is not an address of hooks.slack.com`],
		['of http', 'http://hooks.slack.com/commands/T1/22/x', `${no}it is not https`],
		['with user info', 'https://hooks.slack.com@evil.example/x', `${no}it contains credentials`],
		['with a password', 'https://u:p@hooks.slack.com/x', `${no}it contains credentials`],
		['with a port', 'https://hooks.slack.com:8443/x', `${no}it is not an address of hooks.slack.com`],
		['into the private network', 'https://10.0.0.1/x', `${no}it is not an address of hooks.slack.com`],
		['that is no address', 'hooks.slack.com/x', `${no}it is not an address`],
		['that is too long', `https://hooks.slack.com/${'x'.repeat(3000)}`, `${no}it is not an address`],
	])('%s gets nothing, and the row says why', async (_what, responseUrl, detail) => {
		const {caller, addresses, slack} = await askLate(responseUrl);
		expect(caller).toEqual({target: 'caller', state: 'failed', text: 'Sunny', detail});
		expect([await addresses(), slack.later.received]).toEqual([[], []]);
	});

	test('that redirects is not followed', async () => {
		const target = await serveLater('evil.example', () => ({status: 200, body: '{}'}));
		const redirecting = await serveLater('hooks.slack.com', () => ({
			status: 307,
			body: '{}',
			location: `${target.origin}/stolen`,
		}));
		const {caller} = await askLate(undefined, [redirecting, target]);
		expect(caller).toMatchObject({state: 'failed', detail: 'status 307'});
		expect([redirecting.received.length, target.received]).toEqual([1, []]);
	});

	test.each([
		{status: 429, state: 'failed'},
		{status: 503, state: 'failed'},
		{status: 404, state: 'failed'},
		{status: 502, state: 'outcome_uncertain'},
	])('that answers $status is asked once', async ({status, state}) => {
		const place = await serveLater('hooks.slack.com', () => ({status, body: '{"error":"no"}'}));
		const {caller} = await askLate(undefined, [place]);
		expect([caller?.state, place.received.length]).toEqual([state, 1]);
	});
});

test('the name of a provider that leads into a private network is not connected to', async () => {
	const outgoing = await openOutgoing({reach: 'internet', lookup: nameServer(() => ['10.0.0.7'])});
	const url = new URL('https://hooks.slack.com/commands/secret');
	const answer = await outgoing.request({url, method: 'POST', headers: {}, body: '{}', signal: neverAborted()});
	expect(answer).toEqual({
		kind: 'never-sent',
		detail: expect.stringContaining('hooks.slack.com leads to 10.0.0.7, which is on a network that is not allowed'),
	});
	expect(JSON.stringify(answer)).not.toContain('secret');
	await outgoing.close();
});
