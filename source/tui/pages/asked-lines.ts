import {type Snapshot} from '../../state/snapshot.ts';
import {type ProposalMode, type SettledMode} from '../state/mode.ts';
import {proposalLines} from '../lists/proposal-lines.ts';
import {settledLines} from '../approval/settled-lines.ts';
import {type Line} from '../text/span.ts';

/** What a person is asked, or was asked until somebody else answered, where that is a text to read. */
export function askedLines(mode: ProposalMode | SettledMode, snapshot: Snapshot, width: number): readonly Line[] {
	if (mode.kind === 'settled') {
		return settledLines(mode, snapshot, width);
	}

	const card = snapshot.proposals.find(({id}) => id === mode.id);
	return card ? proposalLines(card, width) : [];
}
