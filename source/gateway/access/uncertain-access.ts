import {callToJson} from '../../control/to-wire.ts';
import {type ControlHandlers} from '../../control/methods.ts';
import {type UncertainEndJson, uncertainToJson} from '../../control/run-wire.ts';
import {type Journal} from '../../journal/journal.ts';
import {findNamedRow} from '../../journal/named-row.ts';
import {readNamedId} from '../../util/id-part.ts';
import {toProblem} from '../../util/problem.ts';
import {redactTexts} from '../../util/redact-texts.ts';
import {type Profile} from '../profiles/profiles.ts';
import {assertCommandsMayAllow} from './approval-access.ts';

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

	const settledBefore = async (typed: string) => ({answer: 'already-settled', end: await endOf(typed)}) as const;

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
			const found = await find(id);
			if (!found) {
				return settledBefore(id);
			}

			try {
				await found.profile.tools.uncertain.resolve(found.call.id, resolution, 'cli');
				return {answer: 'resolved', end: null};
			} catch (caught) {
				const problem = toProblem(caught);
				if (problem.code === 'unknown_call') {
					// Somebody else decided in the same moment.
					return settledBefore(found.call.id);
				}

				throw problem;
			}
		},
		async 'uncertain.repeat'({id, arguments_hash: argumentsHash}, {signal}) {
			const found = await find(id);
			if (!found) {
				return {...(await settledBefore(id)), call: null};
			}

			const {context, tools} = found.profile;
			assertCommandsMayAllow(context);
			const repeated = await tools.uncertain.repeatShown(found.call.id, {argumentsHash, by: 'cli', signal});
			if (repeated === 'changed') {
				return {answer: 'changed', call: null, end: null};
			}

			const call = callToJson(repeated);
			return {
				answer: 'resolved',
				call: 'error' in call ? redactTexts(call, context.redactor.redact) : call,
				end: null,
			};
		},
	};
}

/** A text that names no single call names none; any other problem stays one. */
function unlessUnclear(caught: unknown): undefined {
	const {code} = toProblem(caught);
	if (code !== 'ambiguous_id' && code !== 'bad_usage') {
		throw caught;
	}
}
