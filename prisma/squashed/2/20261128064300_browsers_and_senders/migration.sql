-- Pages that may call a webhook by script.
ALTER TABLE "webhook" ADD COLUMN "cors" JSONB;

-- Further parameters of token requests.
ALTER TABLE "connector_registration" ADD COLUMN "sealed_parameters" TEXT;

-- What a provider said when it refused to give tokens.
ALTER TABLE "credential" ADD COLUMN "refusal" TEXT;

-- The same page of a form sent twice starts one run.
CREATE TABLE "form_post" (
    "id" TEXT NOT NULL,
    "form_id" TEXT NOT NULL,
    "execution_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "form_post_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "form_post_form_id_idx" ON "form_post"("form_id");

CREATE INDEX "form_post_created_at_idx" ON "form_post"("created_at");

ALTER TABLE "form_post" ADD CONSTRAINT "form_post_form_id_fkey" FOREIGN KEY ("form_id") REFERENCES "form"("id") ON DELETE CASCADE ON UPDATE CASCADE;
