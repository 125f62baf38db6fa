import {type Snapshot} from '../../state/snapshot.ts';
import {type Size} from '../text/layout.ts';
import {type UiContext, type UiState} from './ui-state.ts';
import {type FullReader} from './full-reader.ts';

/** All that one frame is drawn from. */
export type Screen = {
	readonly snapshot: Snapshot;
	readonly ui: UiState;
	readonly size: Size;
	/** Milliseconds since the epoch. */
	readonly now: number;
	/** True if a deciding key would act now. */
	readonly armed: boolean;
	readonly readOnly: boolean;
	readonly version: string;
	/** Reads all of a request; absent where no gateway is. */
	readonly readFull?: FullReader | undefined;
	/** The own keys of the person. */
	readonly ownKeys?: UiContext['ownKeys'];
};
