import {limitRequest} from '../../approvals/limit-request.ts';
import {type Journal} from '../../journal/journal.ts';
import {type DayLimit, spentOf} from '../../runs/day-limits.ts';
import {type Clock} from '../../util/clock.ts';
import {dateText} from '../../util/limits/day-in-zone.ts';
import {type AskAboutLimit} from '../stores/asked-decisions.ts';
import {type DaySpending} from './day-spending.ts';

/** The questions to a person about limits of the day, one for each, at one of the gateways of the journal. */
export type LimitQuestions = {
	/** Asks about the limits that are open, and withdraws what is asked about others. */
	readonly apply: () => void;
	/** A person can be asked from now on. */
	readonly begin: (ask: AskAboutLimit) => void;
	readonly close: () => void;
};

/** A question that ended without an answer is asked again after this. */
const againMilliseconds = 1000;

/** Creates the questions; nothing is asked before `begin`. */
export function createLimitQuestions(options: {
	readonly clock: Clock;
	readonly journal: Pick<Journal, 'claimLimit' | 'endLimit'>;
	readonly day: DaySpending;
	/** All limits of the configuration. */
	readonly limits: () => readonly DayLimit[];
	readonly timeZone: () => string;
	readonly onProblem: (caught: unknown) => void;
}): LimitQuestions {
	const {clock, journal, day, limits, timeZone, onProblem} = options;
	const asked = new Map<
		string,
		{readonly bound: number; readonly date: number; readonly controller: AbortController}
	>();
	let ask: AskAboutLimit | undefined;

	const question = async (limit: DayLimit, signal: AbortSignal) => {
		const {date, endsAt} = day.today();
		const name = {date, path: limit.path, bound: limit.bound};
		if (!ask || !(await journal.claimLimit(name))) {
			return;
		}

		const outcome = await ask(requestOf(limit, day, timeZone()), {signal, until: endsAt});
		if (outcome.kind === 'approved' || outcome.kind === 'denied') {
			await journal.endLimit(name, {state: outcome.kind === 'approved' ? 'allowed' : 'denied', by: outcome.by});
			await day.refresh();
		}
	};

	const begin = (limit: DayLimit) => {
		const controller = new AbortController();
		asked.set(limit.path, {bound: limit.bound, date: day.today().date, controller});
		const again = () => {
			if (asked.get(limit.path)?.controller === controller) {
				asked.delete(limit.path);
				apply();
			}
		};

		question(limit, controller.signal)
			.catch(onProblem)
			.finally(() => clock.after(againMilliseconds, again));
	};

	const apply = () => {
		if (!ask) {
			return;
		}

		const open = limits().filter(limit => day.statusOf(limit) === 'open');
		const {date} = day.today();
		for (const [path, {bound, date: of, controller}] of asked) {
			if (of !== date || !open.some(limit => limit.path === path && limit.bound === bound)) {
				asked.delete(path);
				controller.abort();
			}
		}

		open.filter(({path}) => !asked.has(path)).forEach(begin);
	};

	return {
		apply,
		begin(person) {
			ask = person;
			apply();
		},
		close() {
			ask = undefined;
			asked.forEach(({controller}) => controller.abort());
			asked.clear();
		},
	};
}

function requestOf(limit: DayLimit, day: DaySpending, timeZone: string) {
	const {date, endsAt} = day.today();
	const inKey = (amount: number) => (limit.unit === 'usd' ? amount / 1_000_000 : amount);
	return limitRequest({
		path: limit.path,
		bound: inKey(limit.bound),
		spent: inKey(spentOf(limit, day.spentFor(limit))),
		origin: day.limitRowOf(limit)?.origin ?? {kind: 'command-line'},
		day: {date: dateText(date), end: endText(endsAt, timeZone)},
	});
}

/** The end of a day as a person reads it: the time of that zone is always midnight. */
function endText(endsAt: number, timeZone: string): string {
	const format = new Intl.DateTimeFormat('sv-SE', {
		timeZone,
		dateStyle: 'short',
		timeStyle: 'short',
	});
	return `${format.format(endsAt)} ${timeZone}`;
}
