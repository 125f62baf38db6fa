import {fileDocuments} from '../../config/values/document-files.ts';
import {type Documents} from '../../config/values/stored-document.ts';
import {loadProfile, type ProfileContext, type RuntimeContext} from './profile-context.ts';

/** A profile with what it has stored beside its configuration. */
export type OpenProfile = ProfileContext & {readonly documents: Documents};

/** Reads a profile in this process, for one command. Rejects with `config_unreadable` when the state directory cannot be used. */
export async function loadOpenProfile(runtime: RuntimeContext): Promise<OpenProfile> {
	const context = await loadProfile(runtime);
	return {...context, documents: fileDocuments(context.paths)};
}
