import type { OpenString } from './open-string.js'

/** A bucket of Google Cloud, reached as S3 clients do. */
export interface GcpBucketPlan {
  name: string
  /** Goes before the credential's region; needed where data must stay in a region. */
  region?: string
  /** Folder for what is kept of calls. Default `/`. */
  path?: string
  /** HMAC access key of the bucket; Google Cloud requires it. */
  hmacAccessKey?: string
  /** Secret of that key; Google Cloud requires it. Not given back. */
  hmacSecret?: string
}

/** A container of Azure Blob Storage. */
export interface AzureBucketPlan {
  /** The storage account's connection string: a secret. */
  connectionString: string
  containerName: string
  /** Folder for what is kept of calls. Default `/`. */
  path?: string
}

/** A bucket of Cloudflare R2. */
export interface CloudflareBucketPlan {
  name: string
  accessKeyId?: string
  /** Not given back. */
  secretAccessKey?: string
  /** Base address of R2. */
  url?: string
  /** Folder for what is kept of calls. Default `/`. */
  path?: string
}

/** A bucket of Supabase's storage. The platform does not check that bucket and path exist: uploads fail later. */
export interface SupabaseBucketPlan {
  name: string
  region: OpenString<
    | 'us-west-1'
    | 'us-east-1'
    | 'us-east-2'
    | 'ca-central-1'
    | 'eu-west-1'
    | 'eu-west-2'
    | 'eu-west-3'
    | 'eu-central-1'
    | 'eu-central-2'
    | 'eu-north-1'
    | 'ap-south-1'
    | 'ap-southeast-1'
    | 'ap-southeast-2'
    | 'ap-northeast-1'
    | 'ap-northeast-2'
    | 'sa-east-1'
  >
  /** The project's S3 address: `https://<project>.supabase.co/storage/v1/s3`. */
  url: string
  accessKeyId: string
  secretAccessKey: string
  /** Folder in the bucket. */
  path?: string
}
