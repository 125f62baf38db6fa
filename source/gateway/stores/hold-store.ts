import {createHold, createHoldFileCheck, type Hold, type TimedHold} from '../../approvals/hold.ts';
import {type HoldFile, holdFileSchema} from '../../approvals/hold-state.ts';
import {type DocumentKind, type Documents} from '../../config/values/stored-document.ts';
import {problemCodes} from '../../util/problem-codes.ts';
import {toProblem} from '../../util/problem.ts';
import {sharedName} from '../journal/configured-journal.ts';
import {type OpenProfile} from '../documents/open-profile.ts';

/** Opens the hold of a gateway with these profiles, which `node` names among those that share its journal. */
export function openHold(
	contexts: readonly [OpenProfile, ...OpenProfile[]],
	node: () => string | undefined = () => undefined,
): Hold {
	const [{clock, publish}] = contexts;
	const hold = createHold({clock, publish, node, stores: contexts.map(({documents}) => openHoldStore(documents))});
	const endings = contexts.map(({documents}) => documents.onChange('hold', hold.refresh));
	return {
		...hold,
		close() {
			endings.forEach(end => end());
			hold.close();
		},
	};
}

/** The hold for tools in a process of their own, beside a gateway or without one. */
export function openHoldCheck(context: Pick<OpenProfile, 'documents' | 'clock' | 'current'>): TimedHold {
	return createHoldFileCheck(openHoldStore(context.documents), context.clock, () =>
		sharedName(context.current().config),
	);
}

const holdDocument: DocumentKind<HoldFile> = {name: 'hold', schema: holdFileSchema, fallback: {held: null}};

/** The stored hold of a profile. */
export function openHoldStore({open}: Documents) {
	return open(holdDocument);
}

/** The remedy for a hold: a file that cannot be read has to be mended before it can be released. */
export function holdRemedy(documents: Documents): string {
	try {
		openHoldStore(documents).read();
		return problemCodes.held.remedy;
	} catch (caught) {
		return toProblem(caught).remedy;
	}
}
