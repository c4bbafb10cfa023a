-- CreateTable
CREATE TABLE "allowance" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "repository_id" TEXT,
    "reason" TEXT NOT NULL,
    "allowed_by" TEXT NOT NULL,
    "allowed_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "ended_by" TEXT,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "allowance_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "allowance_organization_id_ended_at_idx" ON "allowance"("organization_id", "ended_at");

-- AddForeignKey
ALTER TABLE "allowance" ADD CONSTRAINT "allowance_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "allowance" ADD CONSTRAINT "allowance_repository_id_fkey" FOREIGN KEY ("repository_id") REFERENCES "repository"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
