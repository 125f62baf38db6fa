/** One row of `webhook presets --json`. */
export type PresetJson = {
	readonly name: string;
	readonly provider: string;
	readonly documentation: string;
	/** The header of the signature. */
	readonly header: string | null;
	/** The place of the event type; null: as for any sender. */
	readonly event_type: string | null;
	readonly delivery_id: string | null;
	/** Seconds in which the provider wants its answer; null: its documentation names none. */
	readonly answer_seconds: number | null;
	/** Seconds during which it sends an unanswered message again. */
	readonly retry_seconds: number | null;
	readonly verified: string;
};

/** `webhook presets NAME --json`. */
export type PresetGuideJson = PresetJson & {
	/** The address of the route at this gateway. */
	readonly url: string;
	/** The route as lines of config.yaml. */
	readonly config: string;
	readonly steps: readonly string[];
};
