import {type ControlHandlers} from '../../control/methods.ts';
import {questionToJson} from '../../control/question-wire.ts';
import {readNamedId} from '../../util/id-part.ts';
import {type Profile} from '../profiles/profiles.ts';

type QuestionMethods = Pick<ControlHandlers, 'questions.list' | 'questions.show' | 'questions.answer'>;

/** What servers and runs of these profiles ask a person, for callers of the control socket (docs/tool-servers.md, Elicitation). */
export function questionMethods(profiles: ReadonlyArray<Pick<Profile, 'tools'>>): QuestionMethods {
	const waiting = () =>
		profiles.flatMap(({tools}) => tools.questions.waiting().map(question => ({question, queue: tools.questions})));
	const find = (typed: string) => {
		const asked = waiting();
		const ids = asked.map(({question}) => question.id);
		const id = readNamedId(ids, typed);
		return asked.find(({question}) => question.id === id);
	};

	return {
		'questions.list': () => waiting().map(({question}) => questionToJson(question)),
		'questions.show'({id: typed}) {
			const question = find(typed)?.question;
			if (!question) {
				return null;
			}

			const {id, kind, asker, message, fields} = question;
			return {id, kind, asker, message, fields: [...fields]};
		},
		'questions.answer'({id: typed, answer}) {
			const found = find(typed);
			if (!found) {
				return {answer: 'already-settled', problem: null};
			}

			const result = found.queue.answer({id: found.question.id, answer, by: 'cli'});
			return {answer: result.kind, problem: result.kind === 'unfit' ? result.problem : null};
		},
	};
}
