import {type clientFields} from '../entities/client.ts';
import {type JsonRow} from '../entities/json-kind.ts';

/** `clients list --json`, one row. */
export type ClientJson = JsonRow<typeof clientFields>;

/** `clients add|rotate|remove --json`. */
export type ChangedClientJson = {
	readonly name: string;
	/** Variables of `.env` that were written or removed. */
	readonly variables: readonly string[];
};

/** `clients headers --json`: the same document as without the flag. */
export type ClientHeadersJson = {readonly Authorization: string};
