import {type UncertainEndJson} from '../../state/json/call.ts';
import {callToJson} from '../../control/to-wire.ts';
import {type GatewayHandlers} from '../../control/methods.ts';
import {reviewedHash} from '../../control/review-hash.ts';
import {reviewedCall, uncertainToJson} from '../../control/run-wire.ts';
import {type CallRow} from '../../journal/journal.ts';
import {findNamedRow} from '../../journal/named-row.ts';
import {type ToolOutcome} from '../../tools/call-tool.ts';
import {readNamedId} from '../../util/id-part.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {redactTexts} from '../../util/redact-texts.ts';
import {type Profile} from '../services/profiles.ts';
import {assertMayAllow, type Caller, type HandlerContext} from './handler-context.ts';

type UncertainHandlers = Pick<
	GatewayHandlers,
	'uncertain.list' | 'uncertain.show' | 'uncertain.resolve' | 'uncertain.repeat'
>;

/** The uncertain calls of the listed profiles, and what a person decides about them (docs/approvals.md, Uncertain calls). */
export function uncertainHandlers({caller, listed: profiles, journal, profile}: HandlerContext): UncertainHandlers {
	const all = async () =>
		(
			await Promise.all(
				profiles.map(async profile => (await profile.tools.uncertain.list()).map(call => ({call, profile}))),
			)
		).flat();

	const find = async (typed: string) => {
		const found = await all();
		const ids = found.map(({call}) => call.id);
		const id = readNamedId(ids, typed);
		return found.find(({call}) => call.id === id);
	};

	/** The end of a call that is no longer uncertain; null for one that the journal does not have. */
	const endOf = async (typed: string): Promise<UncertainEndJson> => {
		const id = await findNamedRow(journal, 'call', typed).catch(unlessUnclear);
		const call = id === undefined ? undefined : await journal.findCall(id);
		return call?.resolved && profiles.some(({name}) => name === call.profile) ? call.resolved : null;
	};

	/** Decides about a call; where somebody else has decided before, or in the same moment, the answer is how and who. */
	const decide = async <Answer>(typed: string, decideOn: (found: Found) => Promise<Answer>) => {
		const found = await find(typed);
		if (!found) {
			return {answer: 'already-settled', end: await endOf(typed)} as const;
		}

		try {
			return await decideOn(found);
		} catch (caught) {
			const problem = toProblem(caught);
			const end = problem.code === 'unknown_call' ? await endOf(found.call.id) : null;
			if (!end) {
				throw problem;
			}

			return {answer: 'already-settled', end} as const;
		}
	};

	return {
		'uncertain.list': async () =>
			(await all()).map(({call, profile}) => uncertainToJson(call, profile.context.redactor, 'row')),
		async 'uncertain.show'({id}) {
			const found = await find(id);
			return found
				? {call: uncertainToJson(found.call, found.profile.context.redactor, 'whole'), end: null}
				: {call: null, end: await endOf(id)};
		},
		async 'uncertain.resolve'({id, resolution}) {
			if (caller.kind === 'console') {
				await profile.tools.uncertain.resolve(id, resolution, caller.name);
				return {answer: 'resolved', end: null};
			}

			return decide(id, async ({call, profile: {tools}}) => {
				await tools.uncertain.resolve(call.id, resolution, caller.name);
				return {answer: 'resolved', end: null} as const;
			});
		},
		async 'uncertain.repeat'({id, arguments_hash: argumentsHash}, {signal}) {
			if (caller.kind === 'console') {
				// The card of the new call asks its person.
				const outcome = await profile.tools.uncertain.repeat(id, caller.name);
				return {answer: 'resolved', call: shownOutcome(outcome, profile.context), end: null};
			}

			if (argumentsHash === undefined) {
				throw new Problem('bad_usage', {message: 'arguments_hash: not understood'});
			}

			const repeated = await decide(id, found => repeatShown(found, {caller, argumentsHash, signal}));
			return {call: null, ...repeated};
		},
	};
}

type Found = {readonly call: CallRow; readonly profile: Profile};

/** Repeats the call of this hash for a command, whose person has said yes. */
async function repeatShown(
	{call, profile: {context, tools}}: Found,
	{
		caller,
		argumentsHash,
		signal,
	}: {readonly caller: Caller; readonly argumentsHash: string; readonly signal: AbortSignal},
) {
	assertMayAllow(caller, context);
	const outcome = await tools.uncertain.repeatShown(call.id, {
		argumentsHash: reviewedHash(argumentsHash, reviewedCall(call)),
		by: caller.name,
		signal,
	});
	return outcome === 'changed'
		? ({answer: 'changed', end: null} as const)
		: ({answer: 'resolved', call: shownOutcome(outcome, context), end: null} as const);
}

/** The outcome of a repeated call as JSON; secrets in an error are masked. */
function shownOutcome(outcome: ToolOutcome, {redactor}: Pick<Profile['context'], 'redactor'>) {
	const call = callToJson(outcome);
	return 'error' in call ? redactTexts(call, redactor.redact) : call;
}

/** A text that names no single call names none; any other problem stays one. */
function unlessUnclear(caught: unknown): undefined {
	const {code} = toProblem(caught);
	if (code !== 'ambiguous_id' && code !== 'bad_usage') {
		throw caught;
	}
}
