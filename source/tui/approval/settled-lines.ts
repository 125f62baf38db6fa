import {type Snapshot} from '../../state/snapshot.ts';
import {type SettledMode} from '../state/mode.ts';
import {type Line, span} from '../text/span.ts';
import {wrapToWidth} from '../text/text-width.ts';

/** The page that a settled request leaves, in lines. Nothing on it decides anything. */
export function settledLines({what, why}: SettledMode, snapshot: Snapshot, width: number): readonly Line[] {
	const others = snapshot.approvals.length + snapshot.questions.length + snapshot.proposals.length;
	const rest =
		others === 0
			? 'Nothing else waits.'
			: others === 1
				? '1 other waits: n shows it.'
				: `${others} others wait: n shows the oldest.`;
	return [what, why, 'Nothing can be decided on this page.', '', rest]
		.filter((text, index) => text !== '' || index > 0)
		.flatMap((text, index) =>
			wrapToWidth(text, width - 2).map(part => [span(` ${part}`, index === 0 ? 'strong' : 'normal')]),
		);
}
