import {expect, test} from 'vitest';
import {createApprovalQueue} from '../../../source/approvals/approval-queue.ts';
import {createWaitingTime} from '../../../source/approvals/waiting-time.ts';
import {type ApprovalRules, createRememberedRules} from '../../../source/approvals/remembered-rules.ts';
import {statePaths} from '../../../source/config/read/state-paths.ts';
import {serverRequestTargets} from '../../../source/gateway/services/server-request-targets.ts';
import {type CallClaim, type CallClaimOutcome} from '../../../source/journal/rows/request-rows.ts';
import {type DecisionRecord} from '../../../source/journal/journal.ts';
import {type Verdict} from '../../../source/state/person-answers.ts';
import {createRedactor} from '../../../source/util/redact.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {neverHeld} from '../../helpers/open-hold.ts';
import {recordEvents} from '../../helpers/record-events.ts';
import {httpTransport, serverConfig} from '../../mcp/fixture-servers.ts';

/** The requests to the model of a gateway whose journal others share. Each claim gets the next of the answers, then `claimed`. */
function openSampling(...answers: readonly CallClaimOutcome[]) {
	const clock = createFakeClock();
	const {publish} = recordEvents();
	const time = createWaitingTime(clock);
	const approvals = createApprovalQueue({clock, time, publish, settings: {timeoutSeconds: 300, unattended: 'hold'}});
	/** As this gateway knows it, and as it is. */
	let known: {readonly version: number; readonly file: ApprovalRules} = {version: 1, file: {rules: []}};
	let stored = known;
	const put = (file: ApprovalRules) => ({version: stored.version + 1, file});
	const rules = createRememberedRules({
		clock,
		publish,
		store: {read: () => known.file, update: async change => void (known = stored = put(change(stored.file)))},
	});
	const claims: CallClaim[] = [];
	const decisions: DecisionRecord[] = [];
	const {approveSampling} = serverRequestTargets(
		{clock, paths: statePaths({root: '/none', profile: 'default'}), redactor: createRedactor()},
		{
			questions: {ask: async () => ({kind: 'timed_out'}), finish: () => undefined},
			approvals,
			rules,
			journal: {recordDecision: decision => void decisions.push(decision)},
			claims: {
				knownDocuments: () => [{profile: 'default', name: 'approval-rules', version: known.version}],
				refresh: async () => void (known = stored),
				claim: async claim => answers[claims.push(claim) - 1] ?? 'claimed',
			},
			complete: () => undefined,
			hold: neverHeld,
		},
	);
	const config = serverConfig(httpTransport('http://127.0.0.1/mcp'), {trust: 'untrusted'});
	const request = {messages: [{role: 'user', parts: [{kind: 'text', text: 'Hello'}]}], maximumTokens: 10} as const;
	return {
		claims,
		decisions,
		approve: async () =>
			approveSampling(
				{config, request, origin: {kind: 'command-line'}, whileAsking: async work => work()},
				neverAborted(),
			),
		answer: async (verdict: Verdict) => {
			await expect.poll(() => approvals.pending()).toHaveLength(1);
			const [{id, argumentsHash} = {id: '', argumentsHash: ''}] = approvals.pending();
			approvals.answer({id, argumentsHash, verdict, by: 'console:1'});
			return {id, argumentsHash};
		},
		revokeElsewhere: () => void (stored = put({rules: []})),
	};
}

const once: Verdict = {kind: 'approve', scope: 'once'};

test('a request to the model that a person allowed is claimed, and not asked about again when others changed the rules', async () => {
	const {approve, answer, claims, decisions, revokeElsewhere} = openSampling('changed');
	const approved = approve();
	revokeElsewhere();
	const request = await answer(once);
	expect(await approved).toEqual({kind: 'approved', scope: 'once', by: 'console:1'});
	expect(claims).toEqual(
		[1, 2].map(version => ({
			callId: request.id,
			documents: [{profile: 'default', name: 'approval-rules', version}],
			request,
		})),
	);
	expect(decisions).toHaveLength(1);
});

test('a request to the model is asked about when what allowed it was revoked at another gateway', async () => {
	const {approve, answer, claims, revokeElsewhere} = openSampling('claimed', 'changed');
	const first = approve();
	await answer({kind: 'approve', scope: 'always'});
	expect(await first).toMatchObject({kind: 'approved', scope: 'always'});
	revokeElsewhere();
	const second = approve();
	await answer({kind: 'deny'});
	expect(await second).toEqual({kind: 'denied', by: 'console:1'});
	expect(claims).toHaveLength(2);
});

test('a request to the model whose approval is not in the journal is not made', async () => {
	const {approve, answer} = openSampling('not-allowed');
	const approved = approve();
	await Promise.all([answer(once), expect(approved).rejects.toMatchObject({code: 'cancelled'})]);
});
