import {expect, test} from 'vitest';
import {type ApprovalOutcome, type NewApproval} from '../../../source/approvals/approval-queue.ts';
import {createRememberedRules, type ApprovalRules} from '../../../source/approvals/remembered-rules.ts';
import {type ServerConfig} from '../../../source/config/servers/server-entry.ts';
import {createSamplingApproval} from '../../../source/mcp/server-requests/sampling-approval.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {recordEvents} from '../../helpers/record-events.ts';
import {createRedactor} from '../../../source/util/redact.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {httpTransport, serverConfig} from '../fixture-servers.ts';

/** An approval check whose person always gives the same answer. */
function openGate(outcome: ApprovalOutcome) {
	const cards: NewApproval[] = [];
	const decisions: ApprovalOutcome[] = [];
	let file: ApprovalRules = {rules: []};
	const rules = createRememberedRules({
		clock: createFakeClock(),
		publish: recordEvents().publish,
		store: {read: () => file, update: async change => void (file = change(file))},
	});
	const approval = createSamplingApproval({
		rules,
		partsOf: createRedactor().partsOf,
		async ask(card) {
			cards.push(card);
			return outcome;
		},
		recordDecision: (_, decision) => void decisions.push(decision),
	});
	const ask = (trust: ServerConfig['trust'], text = 'Hello', earlier?: ApprovalOutcome) =>
		approval(
			{
				config: serverConfig(httpTransport('http://127.0.0.1/mcp'), {trust}),
				request: {messages: [{role: 'user', parts: [{kind: 'text', text}]}], maximumTokens: 10},
				origin: {kind: 'command-line'},
				whileAsking: async work => work(),
				earlier,
			},
			neverAborted(),
		);
	return {ask, cards, decisions, rules};
}

test('a trusted server asks nobody', async () => {
	const {ask, cards} = openGate({kind: 'denied', by: 'console:1'});
	expect(await ask('full')).toMatchObject({kind: 'approved'});
	expect(cards).toEqual([]);
});

test.each([
	{what: 'a person said yes', by: 'console:1', asks: 1},
	{what: 'a remembered approval said yes', by: 'remembered rule', asks: 2},
])('a request that waited since asks only when its yes may hold no more: $what', async ({by, asks}) => {
	const {ask, cards} = openGate({kind: 'approved', scope: 'once', by: 'console:1'});
	const given = await ask('untrusted');
	// Only the very outcome of a person counts, not one that looks like it.
	const earlier: ApprovalOutcome = by === 'console:1' ? given : {kind: 'approved', scope: 'always', by};
	expect(await ask('untrusted', 'Hello', earlier)).toMatchObject({kind: 'approved'});
	expect(cards).toHaveLength(asks);
});

test('an untrusted server asks a person, who sees its words: they travel as they are, and are escaped where they are drawn', async () => {
	const {ask, cards} = openGate({kind: 'denied', by: 'console:1'});
	expect(await ask('untrusted', 'Hi \u001B[2J')).toEqual({kind: 'denied', by: 'console:1'});
	expect(cards).toMatchObject([
		{
			kind: 'sampling',
			server: 'fixture',
			trust: 'untrusted',
			arguments: {messages: [{role: 'user', parts: [{kind: 'text', text: 'Hi \u001B[2J'}]}]},
		},
	]);
});

test('what a person decided is kept', async () => {
	const {ask, decisions} = openGate({kind: 'timed_out'});
	await ask('untrusted');
	expect(decisions).toEqual([{kind: 'timed_out'}]);
});

test('an approval for longer than once asks no more, until it is revoked', async () => {
	const {ask, cards, rules} = openGate({kind: 'approved', scope: 'always', by: 'console:1'});
	await ask('untrusted');
	await ask('untrusted', 'Something else');
	expect(cards).toHaveLength(1);
	await rules.revoke(rules.list()[0]?.id ?? '');
	await ask('untrusted');
	expect(cards).toHaveLength(2);
});

test('an approval for once asks again', async () => {
	const {ask, cards} = openGate({kind: 'approved', scope: 'once', by: 'console:1'});
	await ask('untrusted');
	await ask('untrusted');
	expect(cards).toHaveLength(2);
});
