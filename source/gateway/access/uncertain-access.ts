import {callToJson} from '../../control/to-wire.ts';
import {type ControlHandlers} from '../../control/methods.ts';
import {uncertainToJson} from '../../control/run-wire.ts';
import {readNamedId} from '../../util/id-part.ts';
import {redactTexts} from '../../util/redact-texts.ts';
import {type Profile} from '../profiles/profiles.ts';
import {assertCommandsMayAllow} from './approval-access.ts';

type UncertainMethods = Pick<
	ControlHandlers,
	'uncertain.list' | 'uncertain.show' | 'uncertain.resolve' | 'uncertain.repeat'
>;

/** The uncertain calls of these profiles, and what a person at a command line decides about them (docs/approvals.md, Uncertain calls). */
export function uncertainMethods(profiles: readonly Profile[]): UncertainMethods {
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

	return {
		'uncertain.list': async () =>
			(await all()).map(({call, profile}) => uncertainToJson(call, profile.context.redactor, 'row')),
		async 'uncertain.show'({id}) {
			const found = await find(id);
			return found ? uncertainToJson(found.call, found.profile.context.redactor, 'whole') : null;
		},
		async 'uncertain.resolve'({id, resolution}) {
			const found = await find(id);
			if (!found) {
				return {answer: 'already-settled'};
			}

			await found.profile.tools.uncertain.resolve(found.call.id, resolution, 'cli');
			return {answer: 'resolved'};
		},
		async 'uncertain.repeat'({id, arguments_hash: argumentsHash}, {signal}) {
			const found = await find(id);
			if (!found) {
				return {answer: 'already-settled', call: null};
			}

			const {context, tools} = found.profile;
			assertCommandsMayAllow(context);
			const repeated = await tools.uncertain.repeatShown(found.call.id, {argumentsHash, by: 'cli', signal});
			if (repeated === 'changed') {
				return {answer: 'changed', call: null};
			}

			const call = callToJson(repeated);
			return {answer: 'resolved', call: 'error' in call ? redactTexts(call, context.redactor.redact) : call};
		},
	};
}
