import {type SignatureDescription} from './presets/preset.ts';
import {type PresetName, presets} from './presets/preset-table.ts';
import {type WrittenSignature} from './signature-schema.ts';

/** The signature scheme of a route's senders. Header names are lower case. */
export type SignatureScheme = {
	/** Empty: the proof is in the body. */
	readonly header: string;
	/** The fields of the body that carry the secret itself. */
	readonly field?: string;
	readonly algorithm: NonNullable<SignatureDescription['algorithm']>;
	readonly jwtAlgorithm: 'RS256' | 'ES256';
	readonly encoding: 'hex' | 'base64';
	readonly prefix: string;
	/** Absent: the header is a single part. */
	readonly separator?: string;
	readonly timestamp?: {readonly from: 'header' | 'part' | 'field'; readonly name: string};
	/** A template of `{timestamp}`, `{body}`, `{method}` and `{url}`, or `{twilio}`: the URL and the sorted fields of the form. */
	readonly signed: string;
	readonly toleranceSeconds: number;
	readonly key: 'text' | 'hex' | 'base64';
	/** The address that the sender signs, with the query of the request where it has none. Absent: no `{url}`, and for `{twilio}` it is derived from the request. */
	readonly url?: string;
};

/** A signature as config.yaml has it. */
export type Written = PresetName | WrittenSignature;

/** The configured scheme with defaults filled in. */
export function toSignatureScheme(written: Written): SignatureScheme {
	const merged = mergePreset(written);
	const {
		algorithm = 'sha256',
		jwt_algorithm: jwtAlgorithm = 'RS256',
		encoding = 'hex',
		prefix = '',
		separator,
		signed = '{body}',
		tolerance = 300,
		url,
	} = merged;
	return {
		header: (merged.header ?? '').toLowerCase(),
		field: merged.field,
		algorithm,
		jwtAlgorithm,
		encoding,
		prefix,
		separator,
		timestamp: timestampOf(merged),
		signed,
		toleranceSeconds: tolerance,
		key: merged.key ?? (algorithm === 'ed25519' ? 'hex' : 'text'),
		url,
	};
}

/** The reason that a scheme would not authenticate anything; undefined if it is sound. */
export function signatureFault(written: Written): string | undefined {
	const {header, field, algorithm, signed, timestamp, url} = toSignatureScheme(written);
	if (field !== undefined) {
		return header === '' && algorithm === 'token'
			? undefined
			: '`field` carries the secret itself. Set `algorithm: token` and no header, or remove `field`';
	}

	if (algorithm === 'sns') {
		return undefined;
	}

	const merged = mergePreset(written);
	const times = [merged.timestamp_header, merged.timestamp_part, merged.timestamp_field].filter(Boolean);
	if (header === '') {
		return 'The signature has no header. Set `preset` or `header`';
	}

	if (times.length > 1) {
		return 'The signature has more than one timestamp. Keep one of timestamp_header, timestamp_part, timestamp_field';
	}

	// A shared secret or a token authenticates the sender but not the body.
	if (algorithm === 'token' || algorithm === 'jwt') {
		return undefined;
	}

	if (signed !== '{twilio}' && !signed.includes('{body}')) {
		return '`signed` does not contain {body}, so the body would not be checked. Add {body}';
	}

	if (signed.includes('{url}') && url === undefined) {
		return 'The sender signs its address. Set `url` of `signature` to the address that is entered at the sender';
	}

	const needsTime = timestamp !== undefined && timestamp.from !== 'field';
	return needsTime === signed.includes('{timestamp}')
		? undefined
		: 'The timestamp and `signed` do not match. Use both {timestamp} and a timestamp key, or neither';
}

function mergePreset(written: Written): SignatureDescription {
	if (typeof written === 'string') {
		return presets[written].signature;
	}

	return {...(written.preset && presets[written.preset].signature), ...written};
}

function timestampOf(merged: SignatureDescription): SignatureScheme['timestamp'] {
	if (merged.timestamp_header !== undefined) {
		return {from: 'header', name: merged.timestamp_header.toLowerCase()};
	}

	if (merged.timestamp_part !== undefined) {
		return {from: 'part', name: merged.timestamp_part};
	}

	return merged.timestamp_field === undefined ? undefined : {from: 'field', name: merged.timestamp_field};
}
