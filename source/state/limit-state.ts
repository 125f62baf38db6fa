import {groupedNumber} from './number-text.ts';

/** A limit of the day and what is spent of it. */
export type LimitState = {
	/** Its key path in the configuration. */
	readonly path: string;
	/** US dollars, or numbers of the others. */
	readonly unit: 'tokens' | 'usd' | 'runs' | 'calls';
	readonly spent: number;
	readonly limit: number;
	/** `open`: a person is asked; `lifted`: allowed for the rest of the day; `reached`: a client may make no more calls. */
	readonly state: 'counting' | 'near' | 'open' | 'lifted' | 'denied' | 'reached';
	/** The end of the day, in milliseconds since the epoch. */
	readonly endsAt: number;
};

/** An amount with its unit: `12,000 tokens`, `$1.50`. */
export function limitAmount(unit: LimitState['unit'], amount: number): string {
	return unit === 'usd' ? `$${amount.toFixed(2)}` : `${groupedNumber(amount)} ${unit}`;
}

/** The amount spent of a limit: `12,000 of 100,000 tokens`. */
export function limitAmounts({unit, spent, limit}: Pick<LimitState, 'unit' | 'spent' | 'limit'>): string {
	return `${unit === 'usd' ? limitAmount(unit, spent) : groupedNumber(spent)} of ${limitAmount(unit, limit)}`;
}

/** The state of a limit in words; empty while nothing has happened to it. */
export const limitWords: Readonly<Record<LimitState['state'], string>> = {
	counting: '',
	near: 'near',
	open: 'reached, waits for you',
	lifted: 'lifted today',
	denied: 'reached, denied',
	reached: 'reached',
};

/** A limit in one line: `day.tokens 12,000 of 100,000 tokens, near`. */
export function limitText(state: LimitState): string {
	return `${shortLimitPath(state.path)} ${[limitAmounts(state), limitWords[state.state]].filter(Boolean).join(', ')}`;
}

/** The key path of a limit without the section that all are in. */
export function shortLimitPath(path: string): string {
	return path.replace(/^limits\./u, '');
}
