import {type ApprovalRow} from '../../state/snapshot.ts';
import {type Line, span} from './span.ts';
import {wrapToWidth} from './text-width.ts';

/** The page that names exactly what "always" would store. `compact` leaves out what the card said before. */
export function alwaysLines(card: ApprovalRow, width: number, compact: boolean): readonly Line[] {
	const field = (label: string, text: string): Line[] =>
		wrapToWidth(text, width - 14).map((part, index) => [
			span(` ${(index === 0 ? label : '').padEnd(9)}`, 'dim'),
			span(part, 'strong'),
		]);
	const words = (text: string): Line[] => wrapToWidth(text, width - 2).map((part): Line => [span(` ${part}`)]);
	return [
		...(compact ? [] : words('This stores a rule. From then on nobody is asked for:')),
		...field('server', card.server),
		...field('tool', card.tool),
		...(compact ? [] : field('known as', card.registeredName)),
		...field('profile', card.profile),
		...words('with any arguments, for every caller, as long as its definition stays as it is now.'),
		...(compact ? [] : words('To take it back: sluice approvals rules revoke')),
	];
}
