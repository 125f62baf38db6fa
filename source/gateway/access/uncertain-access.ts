import {callToJson} from '../../control/to-wire.ts';
import {type ControlHandlers} from '../../control/methods.ts';
import {reviewedHash} from '../../control/review-hash.ts';
import {reviewedCall, type UncertainEndJson, uncertainToJson} from '../../control/run-wire.ts';
import {type CallRow, type Journal} from '../../journal/journal.ts';
import {findNamedRow} from '../../journal/named-row.ts';
import {type ToolOutcome} from '../../tools/call-tool.ts';
import {readNamedId} from '../../util/id-part.ts';
import {toProblem} from '../../util/problem.ts';
import {redactTexts} from '../../util/redact-texts.ts';
import {type Profile} from '../profiles/profiles.ts';
import {assertCommandsMayAllow} from './command-permission.ts';

type UncertainMethods = Pick<
	ControlHandlers,
	'uncertain.list' | 'uncertain.show' | 'uncertain.resolve' | 'uncertain.repeat'
>;

/** The uncertain calls of these profiles, and what a person at a command line decides about them (docs/approvals.md, Uncertain calls). */
export function uncertainMethods(
	profiles: readonly Profile[],
	journal: Pick<Journal, 'findIds' | 'findCall'>,
): UncertainMethods {
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

	/** What became of a call that waits no more. */
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
		'uncertain.resolve': ({id, resolution}) =>
			decide(id, async ({call, profile}) => {
				await profile.tools.uncertain.resolve(call.id, resolution, 'cli');
				return {answer: 'resolved', end: null} as const;
			}),
		async 'uncertain.repeat'({id, arguments_hash: argumentsHash}, {signal}) {
			const repeated = await decide(id, async ({call, profile: {context, tools}}) => {
				assertCommandsMayAllow(context);
				const outcome = await tools.uncertain.repeatShown(call.id, {
					argumentsHash: reviewedHash(argumentsHash, reviewedCall(call)),
					by: 'cli',
					signal,
				});
				return outcome === 'changed'
					? ({answer: 'changed', end: null} as const)
					: ({answer: 'resolved', call: shownOutcome(outcome, context), end: null} as const);
			});
			return {call: null, ...repeated};
		},
	};
}

type Found = {readonly call: CallRow; readonly profile: Profile};

/** How a repeated call ended; secrets in an error are masked. */
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
